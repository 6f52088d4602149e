// Disk cells on the host: conversion from and to positions.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/algo/mpmc/engine.h"
#include "sim/core/mpmc_rules.h"

namespace cellscope {

// Host cells without a disk: every slot kEmptySlot and kNoId.
DiskCells emptyCells(const GridInfo& grid);

// Bin disks: xy = 2 n coordinates in the box, upper faces included, ids = n. Positions are rounded
// to the coordinate grid (2^-22) and wrapped. Within a cell, disks keep the order of the input.
// Throws InputError for a position that is not finite or outside the box, RunError when a cell
// overflows (only possible with overlapping disks): both name the disk.
DiskCells fillCells(const GridInfo& grid, std::span<const double> xy,
                    std::span<const std::uint32_t> ids);

// Positions in the box, exact, sorted by id.
struct DiskPositions {
  std::vector<double> xy;          // 2 n
  std::vector<std::uint32_t> ids;  // n
};
DiskPositions positionsOf(const DiskCells& host);

// Copies cells from the memory of `from` to that of `to`.
DiskCells copyOfCells(const DiskCellsView& view, Backend from, Backend to);

// In the memory of `from` and of `to`; complete on return.
void copyRows(const RowCopy& rows, Backend from, Backend to, std::size_t slots);

// Whether the slots of a cell are enough for any configuration without overlap: four disks below a
// width of sqrt 2 (of five in a square, two lie in the same quarter), five below 1.5 (S3, fig. 3;
// six need 1.66). Distances may be too short by 6e-8, which 4 q make up for.
bool slotsSuffice(const GridInfo& grid);

// Throws InputError where a GPU cannot move so many cells: its kernels number slots with 32 bits.
void refuseManySlots(const GridInfo& grid);

// Error message for a cell that overflowed; `action` names the operation.
std::string overflowMessage(const GridInfo& grid, std::size_t cell, const char* action);

}  // namespace cellscope
